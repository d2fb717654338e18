/** Every page of the console in a light brand. */
import { triesAll } from '../support/run/extent.ts'
import { declareBrand, lightBrand } from './brand-pages.ts'

if (triesAll) declareBrand(lightBrand)
