import { useMutation } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { readProblem } from '../../api/problem.ts'

export function useCreateCheckout() {
  return useMutation(api.payments.createCheckoutSession.mutationOptions())
}

/** Spec section 8; a package that is no longer what was shown is told in the server's own words. */
export function checkoutProblem(error: unknown): { message: string; isPackageChanged: boolean } {
  const { code, detail } = readProblem(error)
  return code === 'package_changed' && detail !== null
    ? { message: detail, isPackageChanged: true }
    : { message: 'Failed to initiate payment. Please try again.', isPackageChanged: false }
}
