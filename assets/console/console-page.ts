/** The description of a page for the navigation. */
import type { ComponentType } from 'preact'
import type { Access } from './access.ts'

/** The parts of the console for pages other than those of entities. */
export type Area = 'settings' | 'operate' | 'developers'

export interface ConsolePage extends Access {
  path: string
  label: string
  area: Area
  /** The heading in the list of the area's pages. */
  group: string
  Page: ComponentType
}
