/** Sentences for what is wrong with a field, by the code of the refusal. */
import type { FaultCode } from '../fault-codes.ts'

/** By plural form of the parameter `limit`, for which `#` stands. */
type CountedText = { readonly one: string; readonly other: string }

/** `{name}` stands for a parameter of the code. The English sentence comes with the refusal. */
export type FaultTexts = Readonly<Record<FaultCode, string | CountedText>>
