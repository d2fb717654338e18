/** What the navigation knows of a page. */
import type { ComponentType } from 'preact'
import type { Access } from './access.ts'

/** Where the pages that are not of rows stand. */
export type Area = 'settings' | 'operate' | 'developers'

export interface ConsolePage extends Access {
  path: string
  label: string
  area: Area
  /** The heading in the list of the area's pages. */
  group: string
  Page: ComponentType
}
