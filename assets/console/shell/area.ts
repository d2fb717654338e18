/** The areas that have pages of their own, and which of them a user finds. */
import { isShown } from '../access.ts'
import type { App } from '../app-context.ts'
import type { Area, ConsolePage } from '../console-page.ts'
import { pages } from '../pages.ts'

/** @returns the area of a page at this path; `null` for rows and for the start */
export function areaAt(path: string): Area | null {
  const page = pageAt(path)
  return page === undefined || page.area === 'developers' ? null : page.area
}

export function pageAt(path: string): ConsolePage | undefined {
  return pages.find((each) => path === each.path || path.startsWith(`${each.path}/`))
}

/** In the order of the navigation. */
export function pagesIn(area: Area, app: App): [group: string, pages: ConsolePage[]][] {
  const groups = new Map<string, ConsolePage[]>()
  for (const page of pages)
    if (page.area === area && isShown(page, app))
      groups.set(page.group, [...(groups.get(page.group) ?? []), page])
  return [...groups]
}

/** Where the area begins for this user; `null` if there is nothing for him. */
export function startOf(area: Area, app: App): string | null {
  return pagesIn(area, app)[0]?.[1][0]?.path ?? null
}
