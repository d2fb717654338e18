/** What a release promises to those who use it: compared with the last release, nothing of it may be missing. */
import type { TObject } from 'typebox'
import { commands } from '../../src/cli/commands.ts'
import type { Feature } from '../../src/core/feature/feature.ts'
import { settings } from '../../src/core/settings/settings.ts'
import { readDocument } from '../documents/markdown.ts'
import type { ContractLine } from './contract-line.ts'
import { type OpenApiText, openApiContract } from './openapi-contract.ts'
import { schemaContract } from './schema-contract.ts'
import { typesContract } from './types-contract.ts'

/** @param features of the service, without those of an application */
export function contractOf(features: readonly Feature[]): ContractLine[] {
  return [
    ...openApiContract(JSON.parse(readDocument('openapi.json')) as OpenApiText),
    ...schemaContract(readDocument('schema.graphql')),
    ...typesContract(),
    ...promises(Object.keys(settings).map((name) => `setting ${name}`)),
    ...promises(commandLines()),
    ...promises(eventLines(features)),
  ]
}

function promises(texts: readonly string[]): ContractLine[] {
  return texts.map((text) => ({ kind: 'promise', text }))
}

function commandLines(): string[] {
  return [...commands].flatMap(([name, { options = {}, lists = {}, flags = {} }]) => [
    `command ${name}`,
    ...Object.keys({ ...options, ...lists, ...flags }).map((option) => `command ${name} --${option}`),
  ])
}

function eventLines(features: readonly Feature[]): string[] {
  const events = features.flatMap(({ events: own = {} }) => Object.entries(own))
  return events.flatMap(([type, { payload }]) => [
    `event ${type}`,
    ...Object.keys((payload as TObject).properties).map((member) => `event ${type} data.${member}`), // an object, as always
  ])
}
