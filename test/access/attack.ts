/** An outsider who learns a hidden text letter by letter, if any answer depends on it. */
import type { Answer, Client } from '../support/client.ts'

export const alphabet = 'abcdefghijklmnopqrstuvwxyz'
const length = 8

/** One way to ask whether the text that is sought begins with a prefix. Whatever differs from an answer for a text that cannot be is a sign. */
export interface Oracle {
  name: string
  ask(client: Client, prefix: string): Promise<Answer>
}

export interface Learnt {
  name: string
  text: string
  requests: number
}

/** A text of an alphabet that no value has. */
const impossible = '0'

/**
 * Goes on with each letter whose answer differs from that of a letter that no value has.
 * @param most requests
 */
export async function learn(oracle: Oracle, client: Client, most: number): Promise<Learnt> {
  let known = ''
  let requests = 0
  while (known.length < length && requests + alphabet.length < most) {
    const control = signOf(await oracle.ask(client, known + impossible), known + impossible)
    const signs: string[] = []
    for (const letter of alphabet) {
      signs.push(signOf(await oracle.ask(client, known + letter), known + letter))
    }
    requests += alphabet.length + 1
    const differing = [...alphabet].filter((_letter, index) => signs[index] !== control)
    if (differing.length > 1) known += '?'
    if (differing.length !== 1) return { name: oracle.name, text: known, requests }
    known += differing[0]
  }
  return { name: oracle.name, text: known, requests }
}

/** What an outsider compares: everything but what the request itself said, times and ids of the request. */
function signOf({ status, text, headers }: Answer, asked: string): string {
  const told = ['x-total-count', 'etag', 'link', 'last-modified', 'idempotency-replayed', 'content-type']
  const shown = told.map((name) => headers.get(name)?.replaceAll(`=${asked}&`, '=…&'))
  const others = text
    .replaceAll(`"${asked}"`, '…')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
  return JSON.stringify([status, others, ...shown])
}
