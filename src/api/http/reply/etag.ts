/** Entity tags (RFC 9110, section 8.8.3). */
import { hash } from 'node:crypto'

/**
 * The tag of a row: its version, which every change increments.
 * @param view the members that the caller sees, where not every caller sees all
 */
export function versionTag(version: number, view?: string): string {
  return view === undefined ? `"v${version}"` : `"v${version}.${view}"`
}

/** @returns the header without views: whether a row has changed does not depend on the members that a caller sees */
export function withoutViews(header: string): string {
  return header.replaceAll(/"v(\d+)\.[0-9a-f]+/g, '"v$1')
}

export function contentTag(content: string | Uint8Array): string {
  return `"${hash('sha1', content, 'base64url')}"`
}

/** Whether the header has the tag or `*`, compared weakly, as If-None-Match requires. */
export function isUnchanged(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return listed(header, tag, (candidate) => candidate.replace(/^W\//, ''))
}

/** Whether the header has the tag or `*`, compared strongly. */
export function isListed(header: string, tag: string): boolean {
  return listed(header, tag, (candidate) => candidate)
}

/** The tag of a representation in a content coding: `"v3"` in gzip is `"v3-gzip"`. */
export function codedTag(tag: string, coding: string): string {
  return `${tag.slice(0, -1)}-${coding}"`
}

/** @returns the form of the tag, with a coding or without one, that the header has */
export function tagInUse(header: string, tag: string): string {
  return ['gzip', 'br'].map((coding) => codedTag(tag, coding)).find((coded) => header.includes(coded)) ?? tag
}

/** Ignores the coding in a tag, also one that a proxy has added: a version has one tag in all codings. */
function listed(header: string, tag: string, normalize: (candidate: string) => string): boolean {
  if (header.trim() === '*') return true
  return header.split(',').some((candidate) => {
    const plain = normalize(candidate.trim())
    return plain === tag || plain.replace(/-(gzip|br|zstd|deflate)"$/, '"') === tag
  })
}
