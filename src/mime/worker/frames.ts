import { DefaultDeserializer, DefaultSerializer } from 'node:v8';

/**
 * Messages between the server and its workers. A frame is a count, that many sizes, a serialized value, and the bytes that
 * the value refers to: those go as they are, because copying a large message takes time and memory.
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

/** Collects what arrives and calls back with each value that is complete. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #length = 0;
  #needed = NUMBER_BYTES;

  constructor(private readonly onValue: (value: unknown) => void) {}

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    while (this.#length >= this.#needed) {
      const bytes = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks, this.#length);
      this.#chunks = [bytes];
      const end = this.#read(bytes);
      if (end === undefined) continue;
      this.#chunks = end < bytes.length ? [bytes.subarray(end)] : [];
      this.#length = bytes.length - end;
      this.#needed = NUMBER_BYTES;
    }
  }

  /** Reads one frame and returns where it ends. Undefined, and more is needed, when it is not whole. */
  #read(bytes: Buffer): number | undefined {
    const count = bytes.readUInt32BE(0);
    let end = NUMBER_BYTES * (1 + count);
    if (bytes.length < end) {
      this.#needed = end;
      return undefined;
    }
    const starts: number[] = [];
    for (let index = 0; index < count; index += 1) {
      starts.push(end);
      end += bytes.readUInt32BE(NUMBER_BYTES * (index + 1));
    }
    if (bytes.length < end) {
      this.#needed = end;
      return undefined;
    }
    const pieces = starts.map((start, index) => bytes.subarray(start, starts[index + 1] ?? end));
    const deserializer = new FrameDeserializer(pieces[0] as Buffer);
    deserializer.views = pieces.slice(1);
    deserializer.readHeader();
    this.onValue(deserializer.readValue());
    return end;
  }
}
