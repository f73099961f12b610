"""The pictures of docs/images. Wants pngquant."""
import pathlib
import subprocess

root = pathlib.Path(__file__).resolve().parents[2]
images = root / "docs/images"


def smaller(picture):
    """Has 64 colours do for a PNG file, and tells its size."""
    subprocess.run(["pngquant", "--force", "--skip-if-larger", "--output",
                    picture, "64", picture], check=True)
    print(picture.relative_to(root), picture.stat().st_size // 1024, "KiB")
