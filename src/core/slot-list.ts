/**
 * A collection that every request enters and leaves. It is not a `Set`: a `Set` that is filled and emptied all the time
 * is rebuilt again and again, and what its abandoned tables refer to stays alive until a full garbage collection.
 */
export class SlotList<T extends object> {
  readonly #slots: (T | null)[] = []
  /** The numbers of the empty slots. */
  readonly #empty: number[] = []

  get size(): number {
    return this.#slots.length - this.#empty.length
  }

  /** @returns the slot, by which the item is removed */
  add(item: T): number {
    const slot = this.#empty.pop() ?? this.#slots.length
    this.#slots[slot] = item
    return slot
  }

  /** @param slot of an item that is in the list */
  remove(slot: number): void {
    this.#slots[slot] = null
    this.#empty.push(slot)
  }

  /** Iterates over the items in no particular order. */
  items(): T[] {
    return this.#slots.filter((item) => item !== null)
  }
}
