/** A file to import. Its encoding and separator are recognised, and the user can change them. */
import { parseKeepingNumbers } from '../../../../src/core/schema/exact-number.ts'
import { type EntityDescription, labelOf } from '../../describe.ts'
import { decode, type Encoding, encodingOf } from './decode.ts'
import { type ChosenMembers, keyOf } from './mapping.ts'
import { type Prepared, prepareCsv, prepareJson } from './prepare.ts'
import { readCsv, type Separator, separatorOf } from './read-csv.ts'

export interface Source {
  bytes: Uint8Array
  encoding: Encoding
  /** `null` for JSON. */
  separator: Separator | null
  /** The members that the user has chosen for columns. */
  chosen: ChosenMembers
}

export async function openSource(entity: EntityDescription, file: File): Promise<Source> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const isJson = /\.json$/i.test(file.name)
  return withEncoding(entity, { bytes, separator: isJson ? null : ',' }, encodingOf(bytes))
}

/** Recognises the separator again, because it can differ in another encoding. */
export function withEncoding(
  { fields }: EntityDescription,
  { bytes, separator }: Pick<Source, 'bytes' | 'separator'>,
  encoding: Encoding,
): Source {
  const members = new Set(fields.flatMap((field) => [field.name, keyOf(field.name), keyOf(labelOf(field))]))
  const content = decode(bytes, encoding) ?? ''
  return {
    bytes,
    encoding,
    separator: separator === null ? null : separatorOf(content, members),
    chosen: {},
  }
}

/** @returns `null` if the file cannot be read with this encoding and separator */
export function readSource(
  entity: EntityDescription,
  { bytes, encoding, separator, chosen }: Source,
): Prepared | null {
  const content = decode(bytes, encoding)
  if (content === null) return null
  if (separator !== null) return prepareCsv(entity, readCsv(content, separator), chosen)
  const items = parseJson(content)
  return Array.isArray(items) ? prepareJson(entity, items, chosen) : null
}

function parseJson(content: string): unknown {
  try {
    return parseKeepingNumbers(content)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
