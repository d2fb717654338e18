/** Every page of the console in a dark brand. */
import { triesAll } from '../support/run/extent.ts'
import { declareBrand } from './brand-pages.ts'

if (triesAll) declareBrand('#0b1f4d')
