import { DefaultDeserializer, DefaultSerializer } from 'node:v8';

/**
 * Exchanges messages between the server and its workers. A frame is a count, that many sizes, a serialized value, and
 * the bytes that the value refers to: those are sent unchanged, because copying a large message takes time and memory.
 */

const NUMBER_BYTES = 4;

class FrameSerializer extends DefaultSerializer {
  readonly views: Uint8Array[] = [];

  /** Called by the serializer for each view. */
  _writeHostObject(view: Uint8Array): void {
    this.writeUint32(this.views.length);
    this.views.push(view);
  }
}

class FrameDeserializer extends DefaultDeserializer {
  views: Uint8Array[] = [];

  /** Called by the deserializer for each view. */
  _readHostObject(): Uint8Array {
    return this.views[this.readUint32()] as Uint8Array;
  }
}

/** Returns the pieces of a frame, to be written in order. */
export function encodeFrame(value: unknown): Uint8Array[] {
  const serializer = new FrameSerializer();
  serializer.writeHeader();
  serializer.writeValue(value);
  const pieces = [serializer.releaseBuffer(), ...serializer.views];
  const head = Buffer.allocUnsafe(NUMBER_BYTES * (1 + pieces.length));
  head.writeUInt32BE(pieces.length, 0);
  pieces.forEach((piece, index) => {
    head.writeUInt32BE(piece.byteLength, NUMBER_BYTES * (index + 1));
  });
  return [head, ...pieces];
}

const NOTHING = Buffer.alloc(0);

/** Collects what arrives and calls back with each value that is complete. A large frame is copied once. */
export class FrameReader {
  /** The beginning of a frame whose size is not known yet, or that is complete. */
  #head: Buffer = NOTHING;
  #frame: Buffer | undefined;
  #filled = 0;

  constructor(private readonly onValue: (value: unknown) => void) {}

  add(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) rest = this.#frame ? this.#fill(this.#frame, rest) : this.#begin(rest);
  }

  /** Takes bytes of a frame whose size is known; returns those that follow it. */
  #fill(frame: Buffer, bytes: Buffer): Buffer {
    const taken = bytes.copy(frame, this.#filled);
    this.#filled += taken;
    if (this.#filled === frame.length) {
      this.#frame = undefined;
      this.onValue(decodeFrame(frame));
    }
    return bytes.subarray(taken);
  }

  #begin(bytes: Buffer): Buffer {
    const head = this.#head.length > 0 ? Buffer.concat([this.#head, bytes]) : bytes;
    const size = sizeOf(head);
    this.#head = NOTHING;
    if (size === undefined) this.#head = head;
    else if (head.length >= size) {
      this.onValue(decodeFrame(head.subarray(0, size)));
      return head.subarray(size);
    } else {
      this.#frame = Buffer.allocUnsafeSlow(size);
      this.#filled = head.copy(this.#frame);
    }
    return NOTHING;
  }
}

/** Returns the size of the frame with this beginning; undefined when that is not known yet. */
function sizeOf(bytes: Buffer): number | undefined {
  if (bytes.length < NUMBER_BYTES) return undefined;
  const count = bytes.readUInt32BE(0);
  let size = NUMBER_BYTES * (1 + count);
  if (bytes.length < size) return undefined;
  for (let index = 1; index <= count; index += 1) size += bytes.readUInt32BE(NUMBER_BYTES * index);
  return size;
}

function decodeFrame(frame: Buffer): unknown {
  const count = frame.readUInt32BE(0);
  let at = NUMBER_BYTES * (1 + count);
  const pieces: Buffer[] = [];
  for (let index = 1; index <= count; index += 1) {
    const size = frame.readUInt32BE(NUMBER_BYTES * index);
    pieces.push(frame.subarray(at, at + size));
    at += size;
  }
  const deserializer = new FrameDeserializer(pieces[0] as Buffer);
  deserializer.views = pieces.slice(1);
  deserializer.readHeader();
  return deserializer.readValue();
}
