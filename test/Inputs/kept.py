"""The device program with the folder that the tests keep, so that what a driver has
compiled in one of them need not be compiled again in another."""
import os

FOLDER = os.environ.get("CLREWRITE_DEVICE_FOLDER")
DEVICE = ["clrewrite-device", *([f"--private={FOLDER}", "--keep"] if FOLDER else [])]
