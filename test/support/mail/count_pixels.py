"""Prints how many pixels of a PNG file have a color: count_pixels.py FILE RED GREEN BLUE. Reads 8-bit RGB and RGBA."""
import struct
import sys
import zlib

data = open(sys.argv[1], 'rb').read()
color = bytes(int(value) for value in sys.argv[2:5])
position, packed = 8, b''
while position < len(data):
    (length,), kind = struct.unpack('>I', data[position:position + 4]), data[position + 4:position + 8]
    body = data[position + 8:position + 8 + length]
    if kind == b'IHDR':
        width, height, depth, color_type = struct.unpack('>IIBB', body[:10])
        assert depth == 8 and color_type in (2, 6)
    if kind == b'IDAT':
        packed += body
    position += 12 + length

size = 3 if color_type == 2 else 4
raw, above, count = zlib.decompress(packed), bytearray(width * size), 0
for row in range(height):
    start = row * (width * size + 1)
    method, line = raw[start], bytearray(raw[start + 1:start + 1 + width * size])
    for at in range(len(line)):
        left = line[at - size] if at >= size else 0
        corner = above[at - size] if at >= size else 0
        up = above[at]
        near = min((abs(up - corner), 0, left), (abs(left - corner), 1, up), (abs(left + up - 2 * corner), 2, corner))
        line[at] = (line[at] + [0, left, up, (left + up) // 2, near[2]][method]) % 256
    count += sum(line[at:at + 3] == color for at in range(0, len(line), size))
    above = line
print(count)
