import { Type } from 'typebox'
import { preconditionOf, validatorsOf } from '../../api/http/reply/condition.ts'
import { Reply, type Route, route } from '../../core/feature/route.ts'
import { listPreferences, removePreference, setPreference } from './preference.ts'
import { maxPreferences, Preference, PreferenceInput } from './schema.ts'

const common = { tag: 'Preferences', access: 'user', database: 'catalogue', ids: 'text' } as const
const base = '/api/preferences'
const names = { name: 'The name of the preference' }

export const preferenceRoutes: Route[] = [
  route({
    ...common,
    method: 'GET',
    path: base,
    summary: 'List your preferences',
    description: 'Small values that clients keep for their user, sorted by name. Nobody else reads them.',
    reply: Type.Array(Preference),
    bounded: `A user has ${maxPreferences} at most.`,
    handle: listPreferences,
  }),
  route({
    ...common,
    method: 'PUT',
    path: `${base}/:name`,
    parameterTexts: names,
    summary: 'Set a preference',
    description:
      'Creates the preference, or replaces its value. Send its `ETag` in `If-Match` to change no newer value, or ' +
      '`If-None-Match: *` to change none. An API key that acts for no user is refused with 403.',
    body: PreferenceInput,
    reply: Preference,
    headers: ['etag', 'last-modified'],
    errors: ['forbidden'],
    conditional: true,
    handle: async (context, { path, body, headers }) => {
      const input = { value: body.value, precondition: preconditionOf(headers) }
      const { version, ...preference } = await setPreference(context, path.name, input)
      return new Reply(preference, validatorsOf({ ...preference, version }))
    },
  }),
  route({
    ...common,
    method: 'DELETE',
    path: `${base}/:name`,
    parameterTexts: names,
    summary: 'Delete a preference',
    description: 'The client then uses its default.',
    status: 204,
    errors: ['forbidden', 'notFound'],
    conditional: true,
    handle: (context, { path, headers }) => removePreference(context, path.name, preconditionOf(headers)),
  }),
]
