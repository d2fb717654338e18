/** Whatever the service itself has under a name has it in each of its languages. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type AuditedAction, auditedActions } from '../../src/core/audit/action.ts'
import { errorKinds } from '../../src/core/errors.ts'
import type { EntityDraft } from '../../src/core/feature/entity-description.ts'
import type { Feature } from '../../src/core/feature/feature.ts'
import type { LabelsByLanguage, Language } from '../../src/core/language/language.ts'
import { defaultLanguage, languages } from '../../src/core/language/languages.ts'
import { sharedService, type TestService } from '../support/service.ts'

const others = languages.filter(({ tag }) => tag !== defaultLanguage)

describe('The languages of the service', () => {
  let service: TestService
  let features: readonly Feature[]
  before(async () => {
    service = await sharedService('sqlite')
    features = service.service.features
  })
  after(() => service.stop())

  it('have each mail', () => {
    const tags = languages.map(({ tag }) => tag).toSorted()
    const declared = features.flatMap(({ mails = {} }) => Object.entries(mails))
    assert.notEqual(declared.length, 0)
    for (const [name, { languages: written }] of declared)
      assert.deepEqual(Object.keys(written).toSorted(), tags, name)
  })

  it('name each permission, event, audited action, setting and error', () => {
    const lacking = others.flatMap((language) => [
      ...lackingIn(
        language,
        'permissions',
        features.flatMap(({ permissions = {} }) => Object.entries(permissions)),
      ),
      ...lackingIn(
        language,
        'events',
        features.flatMap(({ events = {} }) => Object.entries(events)),
      ),
      ...lackingIn(language, 'audited', auditedBy(features)),
      ...lackingIn(
        language,
        'settings',
        features.flatMap(({ tenantSettings = {} }) => Object.entries(tenantSettings)),
      ),
      ...lackingIn(
        language,
        'errors',
        Object.keys(errorKinds).map((name) => [name, {}]),
      ),
    ])
    assert.deepEqual(lacking, [])
    const made = lackingIn(others[0] as Language, 'events', [['ghost.seen', {}]])
    assert.deepEqual(made, ['src/core/language/de.ts: events: add ghost.seen, or labels to its declaration'])
  })

  it('name nothing that there is not', () => {
    const declared = {
      permissions: names(features, ({ permissions = {} }) => permissions),
      events: names(features, ({ events = {} }) => events),
      audited: names(features, ({ audited = {} }) => audited),
      settings: names(features, ({ tenantSettings = {} }) => tenantSettings),
      errors: new Set(Object.keys(errorKinds)),
    }
    /** Of services with rules of rows. */
    declared.permissions.add('file:all')
    const gone = others.flatMap(({ tag, built }) =>
      Object.entries(declared).flatMap(([kind, known]) =>
        Object.keys(built[kind as keyof typeof built]) // the same members
          .filter((name) => !known.has(name))
          .map((name) => `src/core/language/${tag}.ts: ${kind}: remove ${name}`),
      ),
    )
    assert.deepEqual(gone, [])
  })

  it('name each entity, with its fields, words, actions and hints', () => {
    const drafts = features.flatMap(({ describe: described }) => described?.() ?? [])
    assert.ok(drafts.length >= 3)
    assert.deepEqual(
      others.flatMap(({ tag }) => drafts.flatMap((each) => unnamedOf(each, tag))),
      [],
    )
    const [draft] = drafts as [EntityDraft]
    assert.ok(unnamedOf({ ...draft, translations: {} }, 'de').includes(`${draft.name}: labels.de.one`))
  })
})

interface Labelled {
  labels?: Readonly<Record<string, string>>
}

function lackingIn(
  { tag, built }: Language,
  kind: keyof Language['built'],
  declared: readonly (readonly [name: string, Labelled])[],
): string[] {
  return declared
    .filter(([name, { labels }]) => labels?.[tag] === undefined && built[kind][name] === undefined)
    .map(([name]) => `src/core/language/${tag}.ts: ${kind}: add ${name}, or labels to its declaration`)
}

function auditedBy(features: readonly Feature[]): [name: string, AuditedAction][] {
  return [...auditedActions(features.map(({ audited = {} }) => audited))]
}

function names(features: readonly Feature[], of: (feature: Feature) => object): Set<string> {
  return new Set(features.flatMap((feature) => Object.keys(of(feature))))
}

function unnamedOf(
  { name, fields, actions, console: hints = {}, translations = {} }: EntityDraft,
  tag: string,
): string[] {
  const labels: LabelsByLanguage[string] = translations[tag] ?? {}
  const of = (list: readonly EntityDraft['fields'][number]['fields'][number][], within = '') =>
    list.map((field) => ({ ...field, label: `${within}${field.relation ?? field.name}` }))
  const all = [...of(fields), ...fields.flatMap((field) => of(field.fields, `${field.name}.`))]
  const words = all.flatMap(({ label, schema }) =>
    ((schema as { enum?: string[] }).enum ?? []).map((word) => [label, word] as const),
  )
  const texts = [hints.group, hints.help, ...actions.map((action) => action.console?.confirm)]
  const wanted: [string, string | undefined][] = [
    ['one', labels.one],
    ['many', labels.many],
    ['gender', labels.gender],
    ['description', labels.description],
    ...all.map(({ label }): [string, string | undefined] => [`fields.${label}`, labels.fields?.[label]]),
    ...words.map(([field, word]): [string, string | undefined] => [
      `words.${field}.${word}`,
      labels.words?.[field]?.[word],
    ]),
    ...actions.map((action): [string, string | undefined] => [
      `actions.${action.name}`,
      labels.actions?.[action.name],
    ]),
    ...(hints.sections ?? []).map(({ title }): [string, string | undefined] => [
      `sections.${title}`,
      labels.sections?.[title],
    ]),
    ...(hints.list?.views ?? []).map((view): [string, string | undefined] => [
      `views.${view.name}`,
      labels.views?.[view.name],
    ]),
    ...(hints.badges ?? [])
      .filter(({ text }) => text !== undefined)
      .map((badge): [string, string | undefined] => [`badges.${badge.name}`, labels.badges?.[badge.name]]),
    ...texts
      .filter((text) => text !== undefined)
      .map((text): [string, string | undefined] => [`texts.${text}`, labels.texts?.[text]]),
  ]
  return wanted.filter(([, label]) => label === undefined).map(([place]) => `${name}: labels.${tag}.${place}`)
}
