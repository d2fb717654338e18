import { randomBytes } from 'node:crypto'

/** The header of a proxy that names another client each time, so that rate limits do not count them together. */
export function fromAnyAddress(): Record<string, string> {
  return { 'x-forwarded-for': `10.${[...randomBytes(3)].join('.')}` }
}
