// In the place of @vscode/spdlog, which is native code: writes what the editor
// and its output channels log, at once and without rotating.
const { appendFileSync, mkdirSync } = require("node:fs");
const { dirname } = require("node:path");

class Logger {
  constructor(file) {
    mkdirSync(dirname(file), { recursive: true });
    this.file = file;
    this.formatted = true;
  }
  clearFormatters() {
    this.formatted = false;
  }
  write(level, text) {
    appendFileSync(this.file, this.formatted ? `[${level}] ${text}\n` : text);
  }
  setPattern() {}
  setLevel() {}
  flush() {}
  drop() {}
}
for (const level of ["trace", "debug", "info", "warn", "error", "critical"])
  Logger.prototype[level] = function (text) {
    this.write(level, text);
  };

exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.createRotatingLogger = async (name, file) => new Logger(file);
exports.createAsyncRotatingLogger = async (name, file) => new Logger(file);
