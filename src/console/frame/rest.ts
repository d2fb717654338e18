/** The route that lists the pages and panels of the application that the caller sees in the console. */
import { Type } from 'typebox'
import { contentTag } from '../../api/http/reply/etag.ts'
import { LanguageQuery, languageAskedFor, replyIn } from '../../api/http/reply/language.ts'
import type { Context } from '../../core/context.ts'
import { icons } from '../../core/feature/icons.ts'
import { type Route, route } from '../../core/feature/route.ts'
import { noPermission } from '../../core/permission.ts'
import { StringEnum } from '../../core/schema/schema.ts'
import type { Frame } from './frame.ts'
import { panelPlaces } from './options.ts'

const places = ['page', ...panelPlaces] as const

const FrameDescription = Type.Object(
  {
    name: Type.String({ description: 'Unique among pages and panels', examples: ['workload'] }),
    label: Type.String({ description: 'The name in the language asked for', examples: ['Workload'] }),
    place: StringEnum(places, {
      description: 'Where the console shows it; `page` has an entry in the sidebar',
      examples: ['row.side'],
    }),
    entity: Type.Union([Type.String(), Type.Null()], {
      description: 'The entity whose rows or list have the panel; `null` for pages and panels of `home`',
      examples: ['invoice'],
    }),
    icon: Type.Union([Type.String(), Type.Null()], {
      description: 'The name of an icon of Lucide',
      examples: ['chart-bar'],
    }),
    iconPath: Type.Union([Type.String(), Type.Null()], {
      description: 'The icon as a path (SVG), 24 units wide and high, drawn as a line',
      examples: [icons['chart-bar']],
    }),
  },
  { title: 'ConsoleFrame' },
)

/** @returns no route for an application without frames */
export function frameRoutes(frames: readonly Frame[]): Route[] {
  if (frames.length === 0) return []
  return [
    route({
      method: 'GET',
      path: '/api/console',
      summary: 'Describe the pages and panels of the application',
      name: 'listConsoleFrames',
      description:
        'What the application adds to the console, in the order of its declaration. Lists what the caller has the permission for.',
      tag: 'Entities',
      access: 'user',
      database: 'catalogue',
      query: LanguageQuery,
      byLanguage: true,
      reply: Type.Array(FrameDescription),
      headers: ['etag'],
      bounded: 'The application defines a fixed number of pages and panels.',
      handle: async (context, input) => {
        const language = languageAskedFor(input, context.shared.languages)
        const shown = shownTo(context, frames, language)
        return replyIn(language, shown, { etag: contentTag(JSON.stringify(shown)) })
      },
    }),
  ]
}

function shownTo({ actor }: Context, frames: readonly Frame[], language: string) {
  const permissions = actor?.permissions ?? noPermission
  return frames
    .filter(({ permission }) => permission === null || permissions.has(permission))
    .map(({ name, label, labels, place, entity, icon }) => ({
      name,
      label: labels[language] ?? label,
      place,
      entity,
      icon,
      iconPath: icon === null ? null : icons[icon],
    }))
}
