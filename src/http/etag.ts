/** Entity tags (RFC 9110, section 8.8.3). */
import { createHash, hash } from 'node:crypto'

/** The tag of a row: its version, which every change moves. */
export function versionTag(version: number): string {
  return `"v${version}"`
}

/** @param content whole, or in pieces */
export function contentTag(content: string | readonly (string | Uint8Array)[]): string {
  if (typeof content === 'string') return `"${hash('sha1', content, 'base64url')}"`
  const digest = createHash('sha1')
  for (const piece of content) digest.update(piece)
  return `"${digest.digest('base64url')}"`
}

/** If-None-Match: the client has this representation already. Compared weakly, as the RFC asks for. */
export function isUnchanged(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return listed(ifNoneMatch, tag, (candidate) => candidate.replace(/^W\//, ''))
}

/** Whether the header names the tag, or any. */
export function isListed(header: string, tag: string): boolean {
  return listed(header, tag, (candidate) => candidate)
}

function listed(header: string, tag: string, normalize: (candidate: string) => string): boolean {
  return header.trim() === '*' || header.split(',').some((candidate) => normalize(candidate.trim()) === tag)
}
