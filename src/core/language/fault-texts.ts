/** The types of the dictionaries of refusals: sentences by code. The service itself sends the English sentence. */
import type { FaultCode } from '../fault-codes.ts'
import type { ReadRefusal } from '../refusals.ts'

/** Texts by the plural form of the parameter `limit`. `#` stands for its value. */
type CountedText = { readonly one: string; readonly other: string }

/** Texts by code, in which `{name}` stands for a parameter of the code. */
export type TextsByCode = Readonly<Record<string, string | CountedText>>

/** What people call the types and formats of JSON Schema that the parameters `type` and `format` name. */
export type TypeNames = Readonly<Record<string, string>>

/** Texts that say what is wrong with a field. */
export type FaultTexts = Readonly<Record<FaultCode, TextsByCode[string]>>

/** Texts that say why a whole request is refused. */
export type RefusalTexts = Readonly<Record<ReadRefusal, string>>
