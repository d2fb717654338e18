/** The values of a subscription's form: headers are lines, waits are numbers with commas between. */
import type { Subscription } from './types.ts'

export interface Draft {
  url: string
  events: readonly string[]
  secret: string
  customer: string
  headers: string
  retrySeconds: string
}

export const emptyDraft: Draft = {
  url: '',
  events: [],
  secret: '',
  customer: '',
  headers: '',
  retrySeconds: '',
}

export function draftOf({ url, events, customer, headers, retrySeconds: waits }: Subscription): Draft {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const retrySeconds = (waits ?? []).join(', ')
  return { url, events, secret: '', customer: customer ?? '', headers: lines.join('\n'), retrySeconds }
}

/**
 * @returns members of the request. Values that cannot be read are sent as they are, and the service says why it
 *   refuses them.
 */
export function membersOf({ url, events, headers, retrySeconds }: Draft) {
  const lines = headers.split('\n').filter((line) => line.trim() !== '')
  const waits = retrySeconds.split(/[\s,;]+/).filter((word) => word !== '')
  return {
    url: url.trim(),
    events,
    headers: Object.fromEntries(lines.map(headerOf)),
    retrySeconds: waits.length === 0 ? null : waits.map((word) => (/^\d+$/.test(word) ? Number(word) : word)),
  }
}

function headerOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(':')
  return colon < 0 ? [line.trim(), ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
}
