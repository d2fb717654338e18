/** Sentences for what is refused, by the code of the refusal. The English ones come with it. */
import type { FaultCode } from '../fault-codes.ts'
import type { ReadRefusal } from '../refusals.ts'

/** Texts by the plural form of the parameter `limit`. `#` stands for its value. */
type CountedText = { readonly one: string; readonly other: string }

/** `{name}` stands for a parameter of the code. */
export type TextsByCode = Readonly<Record<string, string | CountedText>>

/** What people call the types and formats of JSON Schema that the parameters `type` and `format` name. */
export type TypeNames = Readonly<Record<string, string>>

/** What is wrong with a field. */
export type FaultTexts = Readonly<Record<FaultCode, TextsByCode[string]>>

/** Why a whole request is refused. */
export type RefusalTexts = Readonly<Record<ReadRefusal, string>>
