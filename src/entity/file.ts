/** The kind of field that names a file of the tenant. */
import { type TSchema, Type } from 'typebox'
import type { FieldRule } from '../core/feature/field-rule.ts'
import { Nullable, Uuid } from '../core/schema/schema.ts'
import { isFileType } from '../files/content/type.ts'
import { fileModel } from '../files/model.ts'
import { FileReply } from '../files/schema.ts'
import { Field, type FieldSpec } from './field.ts'

interface FileOptions {
  /** Media types that the service accepts. */
  types: readonly string[]
  /** `FILES_MAX_BYTES` by default. */
  maxBytes?: number
}

const target = { name: 'file', table: 'file', model: fileModel }

/** A file of the tenant. Callers send its id as `<field>Id`. Replies have this id, and the file as `<field>`. */
export function file({ types, maxBytes = Number.MAX_SAFE_INTEGER }: FileOptions) {
  for (const type of types)
    if (!isFileType(type)) throw new Error(`Files of the type ${type} are not accepted.`)
  if (types.length === 0) throw new Error('A field of files accepts at least one type.')
  return new Field<string, 'required', 'reference'>({
    kind: 'reference',
    presence: 'required',
    isNullable: false,
    schema: { ...Uuid },
    target: () => target,
    file: { types, maxBytes },
  })
}

/** A member of a row, as its field declares it. */
interface DeclaredMember {
  field: string
  spec: FieldSpec
  rule?: FieldRule
}

/** The members of a reply beside those of the row: each file by the name of its field. */
export function fileSchemas(members: readonly DeclaredMember[]): Record<string, TSchema> {
  const schema = Type.Object(FileReply.properties, { description: 'The file, with a link that expires.' })
  return Object.fromEntries(
    ofFiles(members).map(({ field, spec, rule }) => {
      const own = spec.isNullable ? Nullable(schema) : schema
      return [field, rule?.read === undefined ? own : Type.Optional(own)]
    }),
  )
}

export function ofFiles<M extends DeclaredMember>(members: readonly M[]): M[] {
  return members.filter(({ spec }) => spec.file !== undefined)
}
