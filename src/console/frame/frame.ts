/** Checks the frames that an application declares for the console: pages, and panels within the console's pages. */

import { ApplicationError } from '../../core/feature/application-error.ts'
import { type IconName, iconNames } from '../../core/feature/icons.ts'
import type { Translations } from '../../core/language/language.ts'
import { notKnown } from '../../core/names.ts'
import { isPermission, type Permission } from '../../core/permission.ts'
import { filesIn } from './folder.ts'
import {
  type ApplicationConsole,
  type ConsolePageOptions,
  type ConsolePanelOptions,
  type PanelPlace,
  panelPlaces,
} from './options.ts'

export interface Frame {
  name: string
  place: PanelPlace | 'page'
  /** The entity whose rows or list a panel belongs to; `null` for pages and for panels of the home page. */
  entity: string | null
  icon: IconName | null
  label: string
  labels: Translations
  /** The permission to see the frame; `null` if everybody sees it. */
  permission: Permission | null
  /** The addresses of its files by their paths below its folder: `assets/chart.js`. */
  files: ReadonlyMap<string, URL>
}

/** What frames may refer to. */
export interface Known {
  /** Whether a feature declares the permission. */
  permissions: { has(name: string): boolean; list(): (readonly [name: string, type: unknown])[] }
  entities: readonly string[]
}

type GivenOptions = ConsolePageOptions & Partial<ConsolePanelOptions>

/** Names in lower case with single hyphens, which need no escapes in addresses: `open-tickets`. */
const wellFormed = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
const commonMembers = ['label', 'labels', 'permission', 'content']

/** @throws ApplicationError for a name, place, permission, entity or folder that cannot be used */
export function declaredFrames(options: ApplicationConsole = {}, known: Known): Frame[] {
  requireMembers('console', options, ['pages', 'panels'])
  const { pages = {}, panels = {} } = options
  const twice = Object.keys(pages).find((name) => Object.hasOwn(panels, name))
  if (twice !== undefined)
    throw new ApplicationError(`console: a page and a panel have the name ${twice}. Rename one of them.`)
  return [
    ...Object.entries(pages).map(([name, page]) => {
      const where = `console.pages.${name}`
      requireMembers(where, page, [...commonMembers, 'icon'])
      return frameOf(where, name, page, known)
    }),
    ...Object.entries(panels).map(([name, panel]) => {
      const where = `console.panels.${name}`
      requireMembers(where, panel, [...commonMembers, 'place', 'entity'])
      requirePlace(where, panel, known)
      return frameOf(where, name, panel, known)
    }),
  ]
}

function frameOf(where: string, name: string, given: GivenOptions, known: Known): Frame {
  const { label, labels = {}, permission = null, content, place = 'page', entity = null, icon = null } = given
  if (!wellFormed.test(name))
    throw new ApplicationError(`${where}: a name consists of lower-case letters, digits and hyphens.`)
  if (typeof label !== 'string' || label.trim() === '')
    throw new ApplicationError(`${where}: label is required.`)
  if (icon !== null && !iconNames.includes(icon)) throw refusal(where, notKnown(icon, 'no icon', iconNames))
  if (permission !== null) requirePermission(where, permission, known)
  if (typeof content?.folder !== 'string')
    throw new ApplicationError(`${where}: content must be what consolePage(folder) returns.`)
  return { name, place, entity, icon, label, labels, permission, files: filesIn(where, content.folder) }
}

function requirePlace(where: string, { place, entity }: ConsolePanelOptions, known: Known): void {
  if (place === undefined)
    throw new ApplicationError(`${where}: place is required: ${panelPlaces.join(', ')}.`)
  if (!panelPlaces.includes(place)) throw refusal(where, notKnown(place, 'no place', panelPlaces))
  if (place === 'home') {
    if (entity !== undefined) throw new ApplicationError(`${where}: a panel of home has no entity.`)
    return
  }
  if (entity === undefined) throw new ApplicationError(`${where}: a panel of ${place} needs an entity.`)
  if (!known.entities.includes(entity)) throw refusal(where, notKnown(entity, 'no entity', known.entities))
}

function requirePermission(where: string, permission: string, { permissions }: Known): void {
  if (isPermission(permission) && permissions.has(permission)) return
  const names = permissions.list().map(([name]) => name)
  throw refusal(where, notKnown(permission, 'no permission', names))
}

/** Checks what the compiler does not check in a file in JavaScript. */
function requireMembers(where: string, given: unknown, members: readonly string[]): void {
  if (typeof given !== 'object' || given === null)
    throw new ApplicationError(`${where} must be an object with ${members.join(', ')}.`)
  const unknown = Object.keys(given).find((name) => !members.includes(name))
  if (unknown !== undefined) throw refusal(where, notKnown(unknown, 'no option', members))
}

function refusal(where: string, reason: string): ApplicationError {
  return new ApplicationError(`${where}: ${reason}${reason.endsWith('?') ? '' : '.'}`)
}
