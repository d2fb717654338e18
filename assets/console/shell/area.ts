/** The areas of the console, and their pages that the user can open. */
import { isShown } from '../access.ts'
import type { App } from '../app-context.ts'
import type { Area, ConsolePage } from '../console-page.ts'
import { pages } from '../pages.ts'

/**
 * @returns the area whose links are shown beside the page at this path; `null` for rows, the first page, and pages
 *   for developers
 */
export function areaAt(path: string): Area | null {
  const page = pageAt(path)
  return page === undefined || page.area === 'developers' ? null : page.area
}

export function pageAt(path: string): ConsolePage | undefined {
  return pages.find((each) => path === each.path || path.startsWith(`${each.path}/`))
}

/** @returns the pages of an area by group, in the order of the navigation */
export function pagesIn(area: Area, app: App): [group: string, pages: ConsolePage[]][] {
  const groups = new Map<string, ConsolePage[]>()
  for (const page of pages)
    if (page.area === area && isShown(page, app))
      groups.set(page.group, [...(groups.get(page.group) ?? []), page])
  return [...groups]
}

/** @returns the path of the area's first page for this user; `null` if the user can open none */
export function startOf(area: Area, app: App): string | null {
  return pagesIn(area, app)[0]?.[1][0]?.path ?? null
}
