/** A value as JSON text: whole, or in chunks if it is long. Long chunks are bytes, which are outside of the heap. */
export type Json = string | readonly (string | Buffer)[]

const chunkCharacters = 64 * 1024

export function textOf(json: Json): string {
  return typeof json === 'string' ? json : json.join('') // of bytes too: they are UTF-8
}

/** Joins JSON text in chunks, without copying them into one long text. */
export class JsonWriter {
  readonly #chunks: Buffer[] = []
  #open = ''

  add(json: Json): void {
    if (typeof json === 'string') this.#append(json)
    else for (const chunk of json) typeof chunk === 'string' ? this.#append(chunk) : this.#insert(chunk)
  }

  /** @returns the text, or the chunks of a long one */
  finish(): Json {
    if (this.#chunks.length === 0) return this.#open
    return this.#open === '' ? this.#chunks : [...this.#chunks, this.#open]
  }

  #append(text: string): void {
    this.#open += text
    if (this.#open.length >= chunkCharacters) this.#close()
  }

  #insert(bytes: Buffer): void {
    if (this.#open !== '') this.#close()
    this.#chunks.push(bytes)
  }

  #close(): void {
    this.#chunks.push(Buffer.from(this.#open))
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
