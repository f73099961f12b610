"""html_check.py PAGE: what a page must keep to that nobody looks at: it is
well-formed, needs nothing else, says its tables and drawings to who can't see
them, and has enough contrast. Prints "fine" and what it has."""
import re
import sys
import xml.etree.ElementTree as tree

text = open(sys.argv[1], encoding="utf-8").read()
root = tree.fromstring(text)
wrong = []


def tag(e):
    return e.tag.rpartition("}")[2]


every = list(root.iter())
ids = [e.get("id") for e in every if e.get("id")]
for name in {i for i in ids if ids.count(i) > 1}:
    wrong.append(f"id {name} occurs twice")
for e in every:
    if tag(e) in ("script", "link", "img", "iframe", "object"):
        wrong.append(f"<{tag(e)}> in a page that needs nothing else")
    for name, value in e.attrib.items():
        if name.startswith("on") or name == "src":
            wrong.append(f"{tag(e)} {name}={value}")
        if name == "href" and (value[0] != "#" or value[1:] not in ids):
            wrong.append(f"a link to {value}")
        if name in ("aria-labelledby", "aria-describedby"):
            for each in value.split():
                if each not in ids:
                    wrong.append(f"{name}={each} is nowhere")

charts = [e for e in every if tag(e) == "svg" and e.get("role") == "img"]
for chart in charts:
    said = [tag(e) for e in chart][:2]
    if said != ["title", "desc"] or not chart.get("aria-labelledby"):
        wrong.append("a drawing without title and description")
tables = [e for e in every if tag(e) == "table"]
for table in tables:
    heads = [e for e in table.iter() if tag(e) == "th"]
    if not heads or any(not e.get("scope") for e in heads):
        wrong.append("a table whose headings do not say for what they are")

if "http" in re.sub(r'http://www\.w3\.org/2000/svg|<meta http-equiv=', "", text):
    wrong.append("an address of another place")


def luminance(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    parts = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4
             for p in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


schemes = re.findall(r":root \{([^}]*--text[^}]*)\}", text)
for scheme in schemes:
    colour = dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", scheme))
    for ink in ("text", "soft", "now", "was", "limit"):
        for ground in ("ground", "raised"):
            if ink not in colour or ground not in colour:
                continue
            a, b = sorted((luminance(colour[ink]), luminance(colour[ground])))
            if (b + 0.05) / (a + 0.05) < 4.5:
                wrong.append(f"{ink} on {ground}: contrast below 4.5")

print("\n".join(wrong) or
      f"fine: {len(charts)} drawings, {len(tables)} tables, "
      f"{len(schemes)} colour schemes")
sys.exit(bool(wrong))
