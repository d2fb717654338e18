/** A value as JSON text: whole, or in pieces if it is long. Long pieces are bytes, which are outside of the heap. */
export type Json = string | readonly (string | Buffer)[]

const pieceCharacters = 64 * 1024

export function textOf(json: Json): string {
  return typeof json === 'string' ? json : json.join('') // of bytes too: they are UTF-8
}

/** Joins JSON text in pieces, without copying them into one long text. */
export class JsonWriter {
  readonly #pieces: Buffer[] = []
  #open = ''

  add(json: Json): void {
    if (typeof json === 'string') this.#append(json)
    else for (const piece of json) typeof piece === 'string' ? this.#append(piece) : this.#insert(piece)
  }

  /** @returns the text, or the pieces of a long one */
  finish(): Json {
    if (this.#pieces.length === 0) return this.#open
    return this.#open === '' ? this.#pieces : [...this.#pieces, this.#open]
  }

  #append(text: string): void {
    this.#open += text
    if (this.#open.length >= pieceCharacters) this.#close()
  }

  #insert(bytes: Buffer): void {
    if (this.#open !== '') this.#close()
    this.#pieces.push(bytes)
  }

  #close(): void {
    this.#pieces.push(Buffer.from(this.#open))
    this.#open = ''
  }
}

/** Names of results are GraphQL names and need no escapes. */
export function jsonObjectOf<M extends { as: string }>(
  members: readonly M[],
  render: (member: M) => string,
): string {
  return `{${members.map((member) => `"${member.as}":${render(member)}`).join()}}`
}
