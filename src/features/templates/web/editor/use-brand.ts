import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queryOptionsFor } from '#platform/web/api.ts';
import { getBrand } from '../../contract.ts';
import type { EditorBrand } from '../visual/visual-props.ts';

/** How the workspace's emails look, as the visual editor takes it. Undefined until it is known. */
export const useBrand = (): EditorBrand | undefined => useBrandOrNot().brand;

/** The same for a screen that goes on without it, where it cannot be read. */
export function useBrandOrNot(): { brand: EditorBrand | undefined; isError: boolean } {
  const { data, isError } = useQuery(queryOptionsFor(getBrand));
  const brand = useMemo(() => {
    if (!data) return undefined;
    const { logo, logoAlt, ...look } = data.brand;
    return { look, ...(logo ? { logo: { src: logo, alt: logoAlt ?? '' } } : {}) };
  }, [data]);
  return { brand, isError };
}
