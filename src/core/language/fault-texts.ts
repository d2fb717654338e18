/** Sentences for what is wrong with a field, by the code of the refusal. */
import type { FaultCode } from '../fault-codes.ts'

/** By plural form of the parameter `limit`, for which `#` stands. */
type CountedText = { readonly one: string; readonly other: string }

/** What people call the types and formats of JSON Schema that the parameters `type` and `format` name. */
export type TypeNames = Readonly<Record<string, string>>

/** `{name}` stands for a parameter of the code. The English sentence comes with the refusal. */
export type FaultTexts = Readonly<Record<FaultCode, string | CountedText>>
