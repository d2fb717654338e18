/** Where the palette leads: pages, lists and new rows, the best match first. */
import type { IconNode } from 'lucide'
import { House, Plus, Server, Settings, SquareTerminal } from 'lucide'
import { isShown } from '../access.ts'
import type { App } from '../app-context.ts'
import { capital } from '../describe.ts'
import { pages } from '../pages.tsx'
import { hrefOf } from '../router.ts'
import { text } from '../text/text.ts'
import { iconOf } from './entity-icon.ts'

export interface Destination {
  group: string
  label: string
  /** Said behind the label, softly. */
  detail: string | null
  icon: IconNode
  href: string
}

const icons = { settings: Settings, operate: Server, developers: SquareTerminal } as const
const maxShown = 20

export function destinationsOf(app: App): Destination[] {
  const { entities } = app
  const creatable = entities.filter(({ operations }) => operations.create !== undefined)
  return [
    {
      group: text.navigation.goTo,
      label: text.navigation.home,
      detail: null,
      icon: House,
      href: hrefOf('/'),
    },
    ...entities.map((entity) => ({
      group: text.navigation.goTo,
      label: capital(entity.labels),
      detail: null,
      icon: iconOf(entity),
      href: hrefOf(`/entities/${entity.name}`),
    })),
    ...pages
      .filter((page) => isShown(page, app))
      .map(({ label, area, group, path }) => ({
        group: text.navigation.goTo,
        label,
        detail: area === 'developers' ? null : `${text.navigation.areas[area]} › ${group}`,
        icon: icons[area],
        href: hrefOf(path),
      })),
    ...creatable.map((entity) => ({
      group: text.navigation.createGroup,
      label: text.action.newRow(entity.label),
      detail: null,
      icon: Plus,
      href: hrefOf(`/entities/${entity.name}/new`),
    })),
  ]
}

/** The beginning of the label counts more than that of a word, and that more than a part. */
export function found(all: readonly Destination[], typed: string): Destination[] {
  const words = typed.trim().toLocaleLowerCase()
  if (words === '') return all.slice(0, maxShown)
  return all
    .map((option) => ({ option, rank: rankOf(option.label.toLocaleLowerCase(), words) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((one, other) => other.rank - one.rank)
    .map(({ option }) => option)
    .slice(0, maxShown)
}

function rankOf(label: string, words: string): number {
  const at = label.indexOf(words)
  if (at < 0) return 0
  if (at === 0) return 3
  return /\s/.test(label[at - 1] ?? '') ? 2 : 1
}
