import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queryOptionsFor } from '#platform/web/api.ts';
import { getBrand } from '../../contract.ts';
import type { EditorBrand } from '../visual/visual-props.ts';

/** How the workspace's emails look, as the visual editor takes it. Undefined until it is known. */
export function useBrand(): EditorBrand | undefined {
  const { data } = useQuery(queryOptionsFor(getBrand));
  return useMemo(() => {
    if (!data) return undefined;
    const { logo, logoAlt, ...look } = data.brand;
    return { look, ...(logo ? { logo: { src: logo, alt: logoAlt ?? '' } } : {}) };
  }, [data]);
}
