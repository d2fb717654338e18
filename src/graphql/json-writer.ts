/** A value as JSON text: whole, or in pieces when it is long. */
export type Json = string | readonly string[]

const pieceCharacters = 64 * 1024

/** Puts JSON text together in pieces, none of which is copied into one long text. */
export class JsonWriter {
  readonly #pieces: string[] = []
  #open = ''

  add(json: Json): void {
    if (typeof json === 'string') this.#append(json)
    else for (const piece of json) this.#append(piece)
  }

  /** @returns one text, or the pieces of a longer one */
  finish(): Json {
    if (this.#pieces.length === 0) return this.#open
    return this.#open === '' ? this.#pieces : [...this.#pieces, this.#open]
  }

  #append(text: string): void {
    this.#open += text
    if (this.#open.length < pieceCharacters) return
    this.#pieces.push(this.#open)
    this.#open = ''
  }
}
