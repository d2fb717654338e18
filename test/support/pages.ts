import assert from 'node:assert/strict'
import type { Answer, Client } from './client.ts'

/** The address in `Link: <…>; rel="next"`, or `null` on the last page. */
export function nextPage(answer: Answer): string | null {
  const link = answer.headers.get('link')
  if (link === null) return null
  const [, address] = /^<([^>]+)>; rel="next"$/.exec(link) ?? []
  assert.ok(address, `not a link to the next page: ${link}`)
  return address
}

/** Follows the links from the first page to the last. @param meanwhile runs between a page and the next */
export async function walkPages(
  client: Client,
  path: string,
  meanwhile: (page: Answer) => Promise<void> = async () => undefined,
): Promise<Answer[]> {
  const pages: Answer[] = []
  let address: string | null = path
  while (address !== null) {
    const page: Answer = await client.get(address)
    assert.equal(page.status, 200, page.text)
    pages.push(page)
    address = nextPage(page)
    if (address !== null) await meanwhile(page)
  }
  return pages
}
