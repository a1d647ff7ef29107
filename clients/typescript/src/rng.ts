/** Randomness that is the same on every machine: the generator sfc32, seeded by all bytes of a seed. */

const WARM_UP = 16; // rounds after which every bit of the seed has reached the whole state

/** A generator of random numbers. Not for secrets. */
export class Rng {
  #a = 0;
  #b = 0;
  #c = 0;
  #counter = 1;

  constructor(seed: Uint8Array) {
    const padded = new Uint8Array(Math.ceil(seed.length / 4) * 4);
    padded.set(seed);
    const words = new DataView(padded.buffer);
    for (let place = 0; place < padded.length; place += 4) {
      this.#a ^= words.getUint32(place, true);
      this.#next();
    }
    for (let round = 0; round < WARM_UP; round++) this.#next();
  }

  /** Returns a number from 0 up to, but not including, 1, with 53 random bits. */
  random(): number {
    return ((this.#next() >>> 5) * 2 ** 26 + (this.#next() >>> 6)) / 2 ** 53;
  }

  /** Returns a whole number from 0 up to, but not including, n; all are equally likely. */
  int(n: number): number {
    if (!Number.isInteger(n) || n < 1 || n > 2 ** 32) {
      throw new RangeError(`int(n) needs a whole number from 1 to 2 ** 32, not ${n}`);
    }
    const limit = 2 ** 32 - (2 ** 32 % n); // what lies beyond would favour small numbers
    let drawn = this.#next();
    while (drawn >= limit) drawn = this.#next();
    return drawn % n;
  }

  /** Returns one of the items. */
  choice<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError("choice() of no items");
    return items[this.int(items.length)] as T;
  }

  /** Puts the items into a random order, in place, and returns them. */
  shuffle<T>(items: T[]): T[] {
    for (let last = items.length - 1; last > 0; last--) {
      const other = this.int(last + 1);
      [items[last], items[other]] = [items[other] as T, items[last] as T];
    }
    return items;
  }

  #next(): number {
    const drawn = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + drawn) | 0;
    return drawn >>> 0;
  }
}
