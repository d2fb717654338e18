/** The options with which an application adds pages and panels to the console. */
import { fileURLToPath } from 'node:url'
import type { IconName } from '../../core/feature/icons.ts'
import type { Translations } from '../../core/language/language.ts'
import type { Permission } from '../../core/permission.ts'

/** Where a panel stands: beside a row, among the tabs of a row, above a list, or on the home page. */
export const panelPlaces = ['row.side', 'row.tab', 'list.above', 'home'] as const
export type PanelPlace = (typeof panelPlaces)[number]

export interface ApplicationConsole {
  /** Pages with an entry in the sidebar, by their names. */
  pages?: Readonly<Record<string, ConsolePageOptions>>
  /** Parts of the console's own pages, by their names. */
  panels?: Readonly<Record<string, ConsolePanelOptions>>
}

interface FrameOptions {
  /** What people call it: "Workload". */
  label: string
  /** The same in other languages: `{ de: 'Auslastung' }`. */
  labels?: Translations
  /** Users without this permission do not see it. */
  permission?: Permission
  /** What `consolePage` returns. */
  content: ConsolePage
}

export interface ConsolePageOptions extends FrameOptions {
  icon?: IconName
}

export interface ConsolePanelOptions extends FrameOptions {
  place: PanelPlace
  /** The entity whose rows or list show the panel. Every place but `home` requires one. */
  entity?: string
}

/** A folder with the file `index.html`, which the console shows in a frame without the origin of the service. */
export interface ConsolePage {
  /** An absolute path, or one that begins at the working directory. */
  readonly folder: string
}

export function consolePage(folder: URL | string): ConsolePage {
  return { folder: folder instanceof URL ? fileURLToPath(folder) : folder }
}
