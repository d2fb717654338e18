import { Reply } from '../../../core/feature/route.ts'
import type { Page } from '../../../core/page.ts'

/** The `Link` to the next page (RFC 8288), relative to the request. */
export function nextLink(path: string, query: object, cursor: string): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, cursor })) {
    for (const each of [value].flat()) if (each !== undefined) parameters.append(name, String(each))
  }
  return `<${path}?${parameters}>; rel="next"`
}

/** @param more further headers */
export function pageReply(
  path: string,
  query: object,
  page: Page<unknown>,
  more: Readonly<Record<string, string>> = {},
): Reply {
  const link = page.next === null ? {} : { link: nextLink(path, query, page.next) }
  return new Reply(page.items, { ...more, ...link })
}
