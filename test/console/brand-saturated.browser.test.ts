/** Every page of the console in a saturated brand. */
import { triesAll } from '../support/run/extent.ts'
import { declareBrand } from './brand-pages.ts'

if (triesAll) declareBrand('#e5007a')
