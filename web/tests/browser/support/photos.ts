/** Photographs as cameras write them, and what is found in a file that was stored. */
import { execFileSync } from 'node:child_process';
import { python } from './python';

/** Held upright: the sensor's picture is 3000 × 2000, its left half red, and the camera says to turn it. */
const CAMERA = `
import io, random, sys
from PIL import Image
noise = random.Random(int(sys.argv[1])).randbytes(300 * 200 * 3)
picture = Image.frombytes("RGB", (300, 200), noise).resize((3000, 2000), Image.Resampling.BICUBIC)
picture.paste((200, 20, 20), (0, 0, 1500, 2000))
exif = Image.Exif()
exif[0x0110] = "Pocket camera"
exif[0x0112] = 6
exif.get_ifd(0x8825).update({1: "N", 2: (35.0, 27.0, 16.0), 3: "E", 4: (139.0, 38.0, 33.0)})
file = io.BytesIO()
picture.save(file, "JPEG", quality=92, exif=exif)
sys.stdout.buffer.write(file.getvalue())
`;

const LOOK = `
import io, json, sys
from PIL import Image
content = sys.stdin.buffer.read()
picture = Image.open(io.BytesIO(content))
exif = picture.getexif()
at = lambda x, y: "red" if picture.convert("RGB").getpixel((x, y))[1] < 60 else "other"
print(json.dumps({
    "format": picture.format,
    "size": picture.size,
    "tags": len(exif) + len(exif.get_ifd(0x8825)),
    "isNamed": b"Pocket camera" in content or b"Exif" in content or "xmp" in picture.info,
    "top": at(picture.width // 2, 40),
    "bottom": at(picture.width // 2, picture.height - 40),
}))
`;

export interface StoredPicture {
  format: string;
  size: [width: number, height: number];
  /** How many things about it are written beside it. */
  tags: number;
  isNamed: boolean;
  top: string;
  bottom: string;
}

/** A JPEG of some megabytes that says where it was taken; another `seed` gives another one. */
export function cameraPhoto(seed = 1): Buffer {
  return execFileSync(python(), ['-c', CAMERA, String(seed)], { maxBuffer: 2 ** 26 });
}

export function lookInto(picture: Buffer): StoredPicture {
  return JSON.parse(
    execFileSync(python(), ['-c', LOOK], { input: picture, encoding: 'utf8' }),
  ) as StoredPicture;
}
