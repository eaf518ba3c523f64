import type { CreditPackage } from '@earmark/contracts/payments'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { api } from '../../api/api.ts'
import { readProblem } from '../../api/problem.ts'
import type { PackagesState } from './PackageGrid.tsx'

type FromPackages = { isFromPackages: true } | null

/**
 * The checkout that the address names (`?package=`). It is opened before the address names it, so that a refusal is
 * told among the packages; at an address that named it already, after a reload, it is opened again.
 */
export function useCheckout(packages: PackagesState) {
  const navigate = useNavigate()
  const state = useLocation().state as FromPackages
  const packageId = useSearchParams()[0].get('package')
  const queryClient = useQueryClient()
  const create = useMutation({
    mutationFn: ({ id, price, credits }: CreditPackage) =>
      api.payments.createCheckoutSession.call({ package_id: id, price, credits }),
    onError: (error) => {
      if (checkoutProblem(error).isPackageChanged)
        void queryClient.invalidateQueries({ queryKey: api.payments.packages.key() })
    },
  })
  const leave = () => void navigate('/payment', { replace: true })

  // As it was when its checkout was opened: that is what is paid, whatever the packages say meanwhile.
  const opened = !create.isError && create.variables?.id === packageId ? create.variables : undefined
  const listed = packages.state === 'known' ? packages.packages.find(({ id }) => id === packageId) : undefined
  const isUnknown = packages.state === 'known' && packageId !== null && listed === undefined
  const reopen = useEffectEvent(() => {
    if (opened !== undefined) return
    if (listed !== undefined) create.mutate(listed, { onError: leave })
    else if (isUnknown) leave()
  })
  useEffect(() => reopen(), [listed?.id, isUnknown])

  return {
    offer: opened ?? listed ?? null,
    session: opened === undefined ? null : (create.data ?? null),
    pendingId: create.isPending ? create.variables.id : null,
    problem: create.error === null ? null : checkoutProblem(create.error).message,
    purchase: (offer: CreditPackage) =>
      create.mutate(offer, {
        onSuccess: () =>
          void navigate(`/payment?package=${encodeURIComponent(offer.id)}`, {
            state: { isFromPackages: true } satisfies FromPackages,
          }),
      }),
    goBack: () => {
      if (state?.isFromPackages) void navigate(-1)
      else leave()
    },
  }
}

/** Spec section 8; a package that is no longer what was shown is told in the server's own words. */
function checkoutProblem(error: unknown): { message: string; isPackageChanged: boolean } {
  const { code, detail } = readProblem(error)
  return code === 'package_changed' && detail !== null
    ? { message: detail, isPackageChanged: true }
    : { message: 'Failed to initiate payment. Please try again.', isPackageChanged: false }
}
