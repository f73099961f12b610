// The panel's style: the colours are those of the editor's theme.
export const panelCss = `
body { padding: 0 12px 12px; color: var(--vscode-foreground);
  font: var(--vscode-font-size)/1.45 var(--vscode-font-family); }
h1, h2 { font-size: 1em; margin: .9em 0 .2em; }
h1 { font-weight: normal; }
h2 { border-top: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent));
  padding-top: .8em; }
p { margin: .2em 0; }
.where, .legend, .busy { color: var(--vscode-descriptionForeground); }
main:empty + .busy { margin-top: 1em; }
button { font: inherit; cursor: pointer; padding: 4px 10px; border-radius: 2px;
  color: var(--vscode-button-foreground);
  background: var(--vscode-button-background);
  border: 1px solid var(--vscode-button-border, var(--vscode-contrastBorder, transparent)); }
button:hover { background: var(--vscode-button-hoverBackground); }
button.link { padding: 0; border: 0; background: none;
  color: var(--vscode-textLink-foreground);
  font-family: var(--vscode-editor-font-family); font-weight: bold; }
button.link:hover { text-decoration: underline; }
button:focus-visible { outline: 1px solid var(--vscode-focusBorder);
  outline-offset: 2px; }
.plot { display: block; width: 100%; max-width: 460px; margin: .4em 0 0; }
.grid { stroke: var(--vscode-foreground); stroke-opacity: .16; }
.tick { fill: var(--vscode-descriptionForeground); font-size: 11px; }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
.alone, .curve, .next { fill: none; }
.alone { stroke: var(--vscode-foreground); stroke-opacity: .5;
  stroke-dasharray: 3 3; }
.curve { stroke: var(--vscode-charts-blue); stroke-width: 2; }
.next { stroke: var(--vscode-charts-green); stroke-width: 1.5;
  stroke-dasharray: 2 2; }
.now { fill: var(--vscode-foreground); stroke: var(--vscode-editor-background); }
.then { fill: var(--vscode-charts-green); stroke: var(--vscode-editor-background); }
.legend { display: flex; flex-wrap: wrap; gap: 0 1.2em; }
.key svg { width: .8em; height: .8em; margin-right: .4em; }
.key.line svg { width: 1.6em; }
h1:focus { outline: none; }
h1:focus-visible { outline: 1px solid var(--vscode-focusBorder); }
table { border-spacing: 0; margin-top: .4em; }
th { font-weight: normal; text-align: left; padding: 0 1em 0 0;
  white-space: nowrap;
  color: var(--vscode-descriptionForeground); }
td, th { vertical-align: top; }
.vscode-high-contrast .grid, .vscode-high-contrast-light .grid { stroke-opacity: .45; }
.vscode-high-contrast .alone, .vscode-high-contrast-light .alone { stroke-opacity: 1; }
.vscode-high-contrast .tick, .vscode-high-contrast-light .tick,
.vscode-high-contrast .where, .vscode-high-contrast-light .where,
.vscode-high-contrast .legend, .vscode-high-contrast-light .legend,
.vscode-high-contrast th, .vscode-high-contrast-light th
  { color: var(--vscode-foreground); fill: var(--vscode-foreground); }
@media (forced-colors: active) {
  .curve, .now, .then, .next { forced-color-adjust: none; }
}
`;
