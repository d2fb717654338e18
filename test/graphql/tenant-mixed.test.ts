import { keepApart } from './tenant/mixed.ts'

keepApart(300)
