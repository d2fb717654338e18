/**
 * The headers of a subscription: which names are allowed, and their encryption, because the values may be secrets.
 */

import type { SecretBox } from '../../core/encryption/secret-box.ts'
import { invalidField } from '../../core/errors.ts'

export type OwnHeaders = Record<string, string>

export const subscriptionHeadersPurpose = 'subscription-headers'

/** Replaces every value in replies. As input, it leaves the stored value unchanged. */
export const maskedValue = '****'

export const maxHeaders = 20
export const maxHeaderLength = 2000

/** A token (RFC 9110, section 5.6.2). */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
/** Visible ASCII, with blanks only inside. Anything else could end the header early, or is parsed differently. */
const value = /^[\x21-\x7e]([\x20-\x7e]{0,1998}[\x21-\x7e])?$/

/** Headers of the connection (RFC 9110, section 7.6.1), of the message, and of the service. */
const reserved =
  /^(connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|host|date|user-agent|http2-settings|proxy-.*|content-.*|x-webhook-.*|x-tenantry-.*|webhook-.*|svix-.*)$/i

/**
 * Validates the headers of a request.
 * @param stored the headers whose values replace masked ones
 * @throws ServiceError `invalid` for a name that is reserved or given twice, and for a value that cannot be sent
 */
export function readHeaders(given: OwnHeaders, stored: OwnHeaders = {}): OwnHeaders {
  const names = Object.keys(given)
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) {
    throw invalidField('headers', 'must have each name once, without regard to case', 'notUnique')
  }
  return Object.fromEntries(names.map((name) => [name, readValue(name, given[name] ?? '', stored)]))
}

export function maskHeaders(headers: OwnHeaders): OwnHeaders {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, maskedValue]))
}

export function encryptHeaders(secretBox: SecretBox, headers: OwnHeaders): Uint8Array {
  return secretBox.encrypt(JSON.stringify(headers), subscriptionHeadersPurpose)
}

export function decryptHeaders(secretBox: SecretBox, encrypted: Uint8Array): OwnHeaders {
  const text = secretBox.decrypt(encrypted, subscriptionHeadersPurpose)
  return JSON.parse(text) as OwnHeaders // written by `encryptHeaders`
}

function readValue(name: string, text: string, stored: OwnHeaders): string {
  if (!token.test(name)) throw invalidField('headers', 'must have names that HTTP allows', 'badPattern')
  if (reserved.test(name)) throw invalidField(`headers.${name}`, 'is reserved', 'reserved')
  const known = text === maskedValue ? storedValue(name, stored) : text
  if (known === null || !value.test(known)) {
    throw invalidField(`headers.${name}`, 'must be 1 to 2000 visible ASCII characters', 'badPattern')
  }
  return known
}

function storedValue(name: string, stored: OwnHeaders): string | null {
  return Object.hasOwn(stored, name) ? (stored[name] ?? null) : null
}
