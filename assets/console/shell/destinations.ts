/**
 * The entries of the command palette: last visits, pages, lists, new rows and found rows, with the best match first.
 */
import type { IconNode } from 'lucide'
import { Clock, House, Plus, Server, Settings, SquareTerminal } from 'lucide'
import { isShown } from '../access.ts'
import type { App } from '../app-context.ts'
import { capital, type EntityDescription, shownTitle } from '../describe.ts'
import { framesAt } from '../frame/frames.ts'
import { pages } from '../pages.ts'
import { hrefOf } from '../router.ts'
import { language, text } from '../text/text.ts'
import { iconOf } from './entity-icon.ts'
import type { FoundRows } from './found-rows.ts'
import { isFresh, type Visit } from './visits.ts'

export interface Destination {
  group: string
  label: string
  /** Shown in a soft colour after the label. */
  detail: string | null
  icon: IconNode
  href: string
  /** The entity whose rows can be searched from this entry; `null` for none. */
  entity: EntityDescription | null
}

const icons = { settings: Settings, operate: Server, developers: SquareTerminal } as const
const maxShown = 20
const maxVisits = 8

export function destinationsOf(app: App): Destination[] {
  const { entities } = app
  const own = framesAt(app, 'page')
  const goTo = { group: text.navigation.goTo, detail: null, entity: null }
  return [
    { ...goTo, label: text.navigation.home, icon: House, href: hrefOf('/') },
    ...entities.map((entity) => ({
      ...goTo,
      label: capital(entity.labels),
      icon: iconOf(entity.console?.iconPath),
      href: hrefOf(`/entities/${entity.name}`),
      entity: entity.isSearched ? entity : null,
    })),
    ...own.map(({ name, label, iconPath }) => ({
      ...goTo,
      label,
      icon: iconOf(iconPath),
      href: hrefOf(`/pages/${name}`),
    })),
    ...pages
      .filter((page) => isShown(page, app))
      .map(({ label, area, group, path }) => ({
        ...goTo,
        label,
        detail: area === 'developers' ? null : `${text.navigation.areas[area]} › ${group}`,
        icon: icons[area],
        href: hrefOf(path),
      })),
    ...entities
      .filter(({ operations }) => operations.create !== undefined)
      .map((entity) => ({
        group: text.navigation.createGroup,
        label: text.action.newRow(entity.label),
        detail: null,
        icon: Plus,
        href: hrefOf(`/entities/${entity.name}/new`),
        entity: null,
      })),
    ...(app.can('invitation:read') && app.can('invitation:write') ? [invitation()] : []),
  ]
}

/** @returns the entry to invite a user. People search for the verb, but the title of the page is a noun. */
function invitation(): Destination {
  return {
    group: text.navigation.createGroup,
    label: text.home.steps.secondUser ?? '',
    detail: null,
    icon: Plus,
    href: hrefOf('/invitations?new'),
    entity: null,
  }
}

export function visited(visits: readonly Visit[], app: App): Destination[] {
  return visits.slice(0, maxVisits).map(({ path, label }) => {
    const [, section, name] = path.split('/')
    const entity = section === 'entities' ? app.entities.find((each) => each.name === name) : undefined
    const isRow = path.split('/').length > 3
    return {
      group: text.home.seen,
      label,
      detail: isRow && entity !== undefined ? entity.label : null,
      icon: entity === undefined ? Clock : iconOf(entity.console?.iconPath),
      href: hrefOf(path),
      entity: null,
    }
  })
}

export function foundIn({ found }: FoundRows, app: App): Destination[] {
  return found.flatMap(({ entity: name, hits }) => {
    const entity = app.entities.find((each) => each.name === name)
    if (entity === undefined) return []
    return hits.map(({ id, title, member, excerpt }) => ({
      group: capital(entity.labels),
      label: shownTitle(entity, title),
      detail: member === entity.title ? null : excerpt,
      icon: iconOf(entity.console?.iconPath),
      href: hrefOf(`/entities/${entity.name}/${id}`),
      entity: entity.isSearched ? entity : null,
    }))
  })
}

/**
 * @returns matching entries, best first. A match at the beginning of the label ranks before one at the beginning of
 *   a word, and that before any other. Visits of the last two weeks rank half as high again.
 */
export function matching(
  all: readonly Destination[],
  typed: string,
  visits: readonly Visit[] = [],
): Destination[] {
  const words = typed.trim().toLocaleLowerCase(language)
  if (words === '') return all.slice(0, maxShown)
  const seen = new Set(visits.filter((visit) => isFresh(visit)).map(({ path }) => hrefOf(path)))
  return all
    .map((option) => {
      const rank = rankOf(option.label.toLocaleLowerCase(language), words)
      return { option, rank: seen.has(option.href) ? 1.5 * rank : rank }
    })
    .filter(({ rank }) => rank > 0)
    .toSorted((one, other) => other.rank - one.rank)
    .map(({ option }) => option)
    .slice(0, maxShown)
}

function rankOf(label: string, words: string): number {
  const index = label.indexOf(words)
  if (index < 0) return 0
  if (index === 0) return 3
  return /\s/.test(label[index - 1] ?? '') ? 2 : 1
}
