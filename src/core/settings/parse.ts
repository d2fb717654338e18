/**
 * Parsers of settings. Each throws an Error that states the requirement. None repeats a text that may be secret: only
 * `list` names the items that it refuses.
 */
import { isIP } from 'node:net'
import { urlFault } from '../../database/postgres/connection-url.ts'
import { parseNetwork } from '../network.ts'

export interface Setting<T, D> {
  parse: (text: string) => T
  /** The value of an absent setting. */
  initial: D
  /** What the setting means, for `.env.example` and the page of settings. */
  about: string
  /** The default in words, for the same documents. */
  shown: string
}

export function setting<T, D>(
  parse: (text: string) => T,
  initial: D,
  shown: string,
  about: string,
): Setting<T, D> {
  return { parse, initial, shown, about }
}

export function text(value: string): string {
  return value
}

/** Whether the text can be decoded: a percent sign begins an encoded character. */
export function isDecodable(value: string): boolean {
  try {
    decodeURIComponent(value)
    return true
  } catch {
    return false // it throws URIError for anything else
  }
}

export function integer(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < min || number > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`)
    }
    return number
  }
}

/** Parses the pauses between attempts, in seconds. @param max the maximum number of pauses */
export function retrySchedule(max: number): (value: string) => number[] {
  return (value) => {
    const seconds = value.split(',').map((item) => item.trim())
    if (seconds.length > max) throw new Error(`must have at most ${max} entries`)
    return seconds.map(integer(1, 86_400))
  }
}

export function boolean(value: string): boolean {
  if (value !== 'true' && value !== 'false') throw new Error('must be true or false')
  return value === 'true'
}

export function oneOf<const T extends string>(...allowed: T[]): (value: string) => T {
  return (value) => {
    const found = allowed.find((candidate) => candidate === value)
    if (found === undefined) throw new Error(`must be one of ${allowed.join(', ')}`)
    return found
  }
}

/** Parses items that are separated by commas, none of which is secret. @param wanted what the items have to be */
export function list(accepts: (item: string) => boolean, wanted: string): (value: string) => string[] {
  return (value) => {
    const items = value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
    const refused = items.filter((item) => !accepts(item))
    if (refused.length > 0) throw new Error(`must be ${wanted}; not ${refused.join(', ')}`)
    return items
  }
}

export function host(value: string): string {
  if (!/^[\w.-]+$/.test(value) && isIP(value) === 0) throw new Error('must be a host name or an IP address')
  return value
}

export function databaseUrl(value: string): string {
  if (/^sqlite:./.test(value)) return value
  if (!/^postgres(ql)?:\/\/./i.test(value)) throw new Error('must be postgres://… or sqlite:<file>')
  return postgresUrl(value)
}

/** @throws Error without any part of the address, which may have a password */
export function postgresUrl(value: string): string {
  const fault = urlFault(value)
  if (fault !== null) throw new Error(fault)
  return value
}

export function url(value: string): string {
  if (!/^https?:$/.test(URL.parse(value)?.protocol ?? '')) throw new Error('must be an http or https address')
  return value.replace(/\/+$/, '')
}

/**
 * Requires a path of plain characters, because it is compared with the paths of requests and must have one spelling.
 */
export function baseUrl(value: string): string {
  const address = url(value)
  const { origin, pathname, search, hash, username } = new URL(address)
  const isPlain = /^(\/[\w.~-]+)*\/?$/.test(pathname) && search === '' && hash === '' && username === ''
  if (!isPlain)
    throw new Error(
      'must be an address such as https://app.example.com or https://example.com/app, with letters, digits, -, ., _ and ~ in its path',
    )
  return pathname === '/' ? address : `${origin}${pathname}`
}

export function domain(value: string): string {
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(value)) throw new Error('must be a domain name, e.g. example.com')
  return value.toLowerCase()
}

/** Requires characters that a header can carry. */
export function setupToken(value: string): string {
  if (!/^[\x21-\x7e]{16,200}$/.test(value)) throw new Error('must be 16 to 200 printable ASCII characters')
  return value
}

/** The trusted proxies: all, none, a number of the last ones, or addresses and networks. */
export type TrustProxy = boolean | number | string[]

export function trustProxy(value: string): TrustProxy {
  if (value === 'true' || value === 'false') return value === 'true'
  if (/^\d{1,2}$/.test(value)) return value === '0' ? false : Number(value)
  return list(isProxy, 'true, false, a number of proxies, or IP addresses and networks')(value)
}

/** Whether an item is an address, a network, or the name of a range that Fastify knows. */
function isProxy(item: string): boolean {
  return isIP(item) !== 0 || isNetwork(item) || /^(loopback|linklocal|uniquelocal)$/.test(item)
}

export function isNetwork(item: string): boolean {
  return parseNetwork(item) !== null
}

/**
 * Whether an item is an origin as browsers send it (scheme, host and port in lower case, without a path), or that of
 * an Android app, which has a digest of 32 bytes.
 */
export function isPasskeyOrigin(item: string): boolean {
  return /^android:apk-key-hash:[\w-]{43}$/.test(item) || (item !== '*' && isOrigin(item))
}

export function isOrigin(item: string): boolean {
  return item === '*' || (/^https?:[^*]+$/.test(item) && URL.parse(item)?.origin === item)
}
