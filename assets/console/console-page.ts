/** What the navigation knows of a page. */
import type { ComponentChildren } from 'preact'
import type { Access } from './access.ts'

export interface ConsolePage extends Access {
  path: string
  label: string
  group: string
  show: () => ComponentChildren
}
