/** A check of the regular expressions in the schemas of all features: each would otherwise fail at its first input. */
import type { TSchema } from 'typebox'
import { ApplicationError } from '../core/feature/application-error.ts'
import type { Feature } from '../core/feature/feature.ts'
import type { Route } from '../core/feature/route.ts'
import { malformedPattern } from '../core/schema/pattern.ts'

/** @throws ApplicationError for a pattern that is no regular expression */
export function requirePatterns(features: readonly Feature[]): void {
  const seen = new Set<object>()
  for (const feature of features)
    for (const [what, schema] of schemasOf(feature)) {
      const found = malformedPattern(schema, seen)
      if (found !== null)
        throw new ApplicationError(
          `${what}: the pattern ${found.pattern} of ${found.pointer || '/'} is no regular expression with the flag u.`,
        )
    }
}

type NamedSchema = [what: string, schema: TSchema]

function schemasOf({ routes = [], graphql, events = {}, actions = {}, jobs = [] }: Feature): NamedSchema[] {
  const mutations = Object.entries(graphql?.mutations ?? {})
  return [
    ...routes.flatMap(inputsOf),
    ...mutations.flatMap(([name, { args }]) =>
      Object.values(args).map((schema): NamedSchema => [`The mutation ${name}`, schema]),
    ),
    ...Object.entries(events).map(([name, { payload }]): NamedSchema => [`The event ${name}`, payload]),
    ...Object.entries(actions).map(([name, { payload }]): NamedSchema => [`The action ${name}`, payload]),
    ...jobs.flatMap((job): NamedSchema[] => ('data' in job ? [[`The job ${job.name}`, job.data]] : [])),
  ]
}

function inputsOf({ method, path, query, body }: Route): NamedSchema[] {
  const found: NamedSchema[] = []
  if (query !== undefined) found.push([`The query of ${method} ${path}`, query])
  if (body !== undefined) found.push([`The body of ${method} ${path}`, body])
  return found
}
