import type { Picked } from './document/plan.ts'

/** A value as JSON text: whole, or in pieces when it is long. Long pieces are bytes, and so no matter of the heap. */
export type Json = string | readonly (string | Buffer)[]

const pieceCharacters = 64 * 1024

export function textOf(json: Json): string {
  return typeof json === 'string' ? json : json.join('') // of bytes too: they are UTF-8
}

/** Puts JSON text together in pieces, none of which is copied into one long text. */
export class JsonWriter {
  readonly #pieces: Buffer[] = []
  #open = ''

  add(json: Json): void {
    if (typeof json === 'string') this.#append(json)
    else for (const piece of json) typeof piece === 'string' ? this.#append(piece) : this.#insert(piece)
  }

  /** @returns one text, or the pieces of a longer one */
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

/** Names of results need no escapes: they are names of the language. */
export function jsonObjectOf<M extends { as: string }>(
  members: readonly M[],
  render: (member: M) => string,
): string {
  return `{${members.map((member) => `"${member.as}":${render(member)}`).join()}}`
}

/** @param typeName of the object, where it is asked for */
export function pickedJson(value: object, picked: readonly Picked[], typeName: string): string {
  const members: Record<string, unknown> = { ...value, __typename: typeName }
  return jsonObjectOf(picked, ({ name }) => JSON.stringify(members[name] ?? null))
}
