// Over the table of all rewrites: its rows by class, by the GPU that they were kept
// for, and by what was gained. The table itself holds all that is asked.
document.querySelectorAll("table").forEach(table => {
  const heads = [...table.tHead.rows[0].cells].map(cell => cell.textContent.trim());
  const [kind, kept, waves, timed] =
    ["class", "kept for", "most waves", "on an H200"].map(name => heads.indexOf(name));
  if (kind < 0 || kept < 0) return;
  const rows = [...table.tBodies[0].rows];
  const text = (row, column) => row.cells[column].textContent.trim();
  const names = list => [...new Set(list)].filter(name => name).sort();
  const targets = row => text(row, kept).split(", ").map(one => one.split(" ")[0]);
  const questions = [
    ["Class", names(rows.map(row => text(row, kind))),
     (row, value) => text(row, kind) === value],
    ["Kept for", names(rows.flatMap(targets)).concat("H200, by time"),
     (row, value) => value.startsWith("H200") ? text(row, timed) !== ""
                                              : targets(row).includes(value)],
    ["Gain", ["waves", "time"],
     (row, value) => text(row, value === "waves" ? waves : timed) !== ""]];
  const bar = document.createElement("form");
  bar.className = "filter";
  const said = document.createElement("output");
  const selects = questions.map(([name, values]) => {
    const label = bar.appendChild(document.createElement("label"));
    label.append(name);
    const select = label.appendChild(document.createElement("select"));
    select.name = name;
    select.append(new Option("any", ""), ...values.map(value => new Option(value)));
    return select;
  });
  bar.append(said);
  const show = () => {
    for (const row of rows)
      row.hidden = !questions.every(
        ([, , holds], i) => !selects[i].value || holds(row, selects[i].value));
    said.value = `${rows.filter(row => !row.hidden).length} of ${rows.length}`;
  };
  bar.addEventListener("change", show);
  table.before(bar);
  show();
});
