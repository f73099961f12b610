"""sarif_properties.py < DOCUMENT: makes each object of a SARIF document an
object of the class that Debian's python3-sarif-python-om has for it. Those
classes are generated from the published schema, so a property that it does not
know, or one that it demands and that is not there, ends this with an error."""
import json
import sys

import attr
import sarif_om

# The classes of what the documents hold, by the property that holds it.
CLASSES = {
    "": "SarifLog", "runs": "Run", "tool": "Tool", "driver": "ToolComponent",
    "rules": "ReportingDescriptor",
    "shortDescription": "MultiformatMessageString",
    "invocations": "Invocation",
    "toolExecutionNotifications": "Notification", "results": "Result",
    "message": "Message", "description": "Message", "locations": "Location",
    "physicalLocation": "PhysicalLocation",
    "artifactLocation": "ArtifactLocation", "region": "Region",
    "deletedRegion": "Region", "logicalLocations": "LogicalLocation",
    "fixes": "Fix", "artifactChanges": "ArtifactChange",
    "replacements": "Replacement", "insertedContent": "ArtifactContent",
}


def made(value, name):
    """Values that stand for themselves, and bags of properties, stay."""
    if isinstance(value, list):
        return [made(each, name) for each in value]
    if not isinstance(value, dict) or name == "properties":
        return value
    kind = getattr(sarif_om, CLASSES[name])
    fields = {f.metadata["schema_property_name"]: f.name
              for f in attr.fields(kind)}
    unknown = set(value) - set(fields)
    assert not unknown, f"{kind.__name__} has no {unknown}"
    return kind(**{fields[key]: made(each, key)
                   for key, each in value.items()})


log = made(json.load(sys.stdin), "")
print(len(log.runs[0].results), "results as published")
